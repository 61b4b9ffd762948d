/**
 * Variables that native libraries read when they are loaded. Native code sees the environment of the
 * process, which only the main thread can change: a worker's variables are a copy. So these are set
 * there, before a library is loaded and before any thread starts.
 */

/**
 * Keeps ONNX Runtime from reporting to its makers: on Linux, version 1.30 looks up a collector's host
 * and keeps a device id in the home folder unless this is set.
 */
export function disableTelemetry(): void {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
}

/** Sets how many bytes of request line and headers uWebSockets takes. */
export function limitHeadBytes(bytesMax: number): void {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(bytesMax);
}
