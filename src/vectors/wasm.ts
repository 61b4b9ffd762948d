/** WebAssembly modules that hold vectors: their instances and their memory. */

const PAGE_BYTES = 64 * 1024;

/** A module's memory. A view of its buffer is of no use any more when it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the global that is used here; the types of Node do not have it. */
interface WebAssemblyRuntime {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/** What a compiled module exports. */
export function instantiate(compiledBase64: string): unknown {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime })
    .WebAssembly;
  return new Instance(new Module(Buffer.from(compiledBase64, 'base64'))).exports;
}

/** Grows the memory where it has not as many bytes; by half at least, as growing moves it. */
export function ensureBytes(memory: WasmMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 2) / PAGE_BYTES));
}

/** Returns a function that gives views of the memory as large as it is now, made anew as it grows. */
export function viewsOf<Views>(
  memory: WasmMemory,
  make: (buffer: ArrayBuffer) => Views,
): () => Views {
  let { buffer } = memory;
  let views = make(buffer);
  return () => {
    if (buffer !== memory.buffer) {
      buffer = memory.buffer;
      views = make(buffer);
    }
    return views;
  };
}
