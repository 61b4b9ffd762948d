/**
 * Keeps an exception in a callback of the native HTTP library from ending the process. Such a
 * callback is called by no JavaScript that could catch it: whatever the web framework throws in one
 * would be an uncaught exception, and cost all other customers their connections too.
 */
import type { HttpResponse, TemplatedApp } from 'uWebSockets.js';

/**
 * From now on each route of the application, and each callback that a route registers, is caught:
 * the failure is reported and its connection is closed.
 */
export function guardCallbacks(
  app: Pick<TemplatedApp, 'any'>,
  onFailure: (error: unknown) => void,
): void {
  const register = app.any.bind(app);
  app.any = (pattern, handler) =>
    register(pattern, (response, request) => {
      const guarded =
        <Values extends unknown[], Result>(
          callback: (...values: Values) => Result,
          failed: Result,
        ) =>
        (...values: Values): Result => {
          try {
            return callback(...values);
          } catch (error) {
            onFailure(error);
            closeQuietly(response);
            return failed;
          }
        };
      const { onData, onAborted, onWritable } = response;
      response.onData = (callback) => onData.call(response, guarded(callback, undefined));
      response.onAborted = (callback) => onAborted.call(response, guarded(callback, undefined));
      // True: nothing is left to write.
      response.onWritable = (callback) => onWritable.call(response, guarded(callback, true));
      return guarded(handler, undefined)(response, request);
    });
}

function closeQuietly(response: HttpResponse): void {
  try {
    response.close();
  } catch {
    // The connection has gone: the library refuses every call on it.
  }
}
