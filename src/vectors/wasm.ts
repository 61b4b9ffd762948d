/** Instantiates WebAssembly modules and grows their memory. */

const PAGE_BYTES = 64 * 1024;

/** A module's memory. When it grows, views of its old buffer become invalid. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of the `WebAssembly` global that is used here. Node's types do not declare it. */
interface WebAssemblyRuntime {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/** Returns the exports of a new instance of a compiled module. */
export function instantiate(compiledBase64: string): unknown {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyRuntime })
    .WebAssembly;
  return new Instance(new Module(Buffer.from(compiledBase64, 'base64'))).exports;
}

/** Grows the memory to at least `bytes`. It grows by half or more, because growing copies it. */
export function ensureBytes(memory: WasmMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 2) / PAGE_BYTES));
}

/**
 * Returns a function that returns views of the whole memory, and renews them after it has grown.
 */
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
