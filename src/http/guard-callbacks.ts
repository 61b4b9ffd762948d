/**
 * Catches exceptions in callbacks of the native HTTP library. No JavaScript caller could catch
 * them, so an exception of the web framework would end the process and every customer's connection.
 */
import type { HttpResponse, TemplatedApp } from 'uWebSockets.js';

/**
 * Wraps every route that is registered from now on, and every callback that a route registers. A
 * failure is reported, and its connection is closed.
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
      // True tells the library that nothing is left to write.
      response.onWritable = (callback) => onWritable.call(response, guarded(callback, true));
      return guarded(handler, undefined)(response, request);
    });
}

function closeQuietly(response: HttpResponse): void {
  try {
    response.close();
  } catch {
    // The connection is gone, and the library refuses every call on it.
  }
}
