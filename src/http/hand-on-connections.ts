/**
 * Hands the connections of a listening app on to another app, which can be replaced. An app reads its
 * certificate once, when it is created. A second listener on the same port would not do: closing the
 * first one resets the connections that wait in its queue.
 */
import type { Server } from 'hyper-express';

/** What the native library offers to servers with several threads; its types leave it out. */
interface NativeApp {
  getDescriptor(): number;
  addChildAppDescriptor(descriptor: number): void;
  removeChildAppDescriptor(descriptor: number): void;
}

export interface HandedOnConnections {
  /** New connections go to this app. Those of the app before stay with it. */
  handTo(app: Server): void;
  /** Closes the connections of all apps. */
  close(): void;
}

/** Call `handTo` before the listener listens. */
export function handOnConnections(listener: Server): HandedOnConnections {
  const from = nativeAppOf(listener);
  // An app is never freed: a connection may be on its way to it. Each changed certificate adds one.
  const apps: Server[] = [];
  return {
    handTo(app) {
      compileRoutes(app);
      const before = apps.at(-1);
      from.addChildAppDescriptor(nativeAppOf(app).getDescriptor());
      if (before !== undefined) {
        from.removeChildAppDescriptor(nativeAppOf(before).getDescriptor());
      }
      apps.push(app);
    },
    close() {
      for (const app of apps) app.uws_instance.close();
    },
  };
}

function nativeAppOf(server: Server): NativeApp {
  return server.uws_instance as unknown as NativeApp;
}

/** Registers the routes, which the framework does only when an app listens. */
function compileRoutes(server: Server): void {
  (server as unknown as { _compile(): void })._compile();
}
