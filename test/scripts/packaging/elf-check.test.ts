/** What is refused in native parts, and that stripped ones still run. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refuseNewerSymbols, withoutSections } from '../../../scripts/packaging/elf-check.mjs';

const modules = resolve(import.meta.dirname, '../../../node_modules');
const library = join(modules, 'uWebSockets.js/uws_linux_x64_137.node');
/** The processor in an ELF header: EM_AARCH64. */
const AARCH64 = 183;

/** The library with another version name of the same length. */
function withVersion(from: string, to: string): Buffer {
  const bytes = readFileSync(library);
  const at = bytes.indexOf(`${from}\0`, 'latin1');
  expect(at).toBeGreaterThan(0);
  bytes.write(to, at, 'latin1');
  return bytes;
}

describe('refuseNewerSymbols', () => {
  it('accepts the library as it was installed', () => {
    expect(() => refuseNewerSymbols(readFileSync(library), 'a part')).not.toThrow();
  });

  it.each([
    'uWebSockets.js/uws_linux_arm64_137.node',
    'tokenizers/tokenizers.linux-arm64-gnu.node',
    'onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node',
    'onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1',
  ])('accepts the part for arm64, %s', (part) => {
    const bytes = readFileSync(join(modules, part));
    expect(bytes.readUInt16LE(0x12)).toBe(AARCH64);
    expect(() => refuseNewerSymbols(bytes, part)).not.toThrow();
  });

  it.each([
    ['GLIBC_2.34', 'GLIBC_2.37'],
    ['GLIBC_2.34', 'GLIBC_9.99'],
    ['GLIBC_2.34', 'UNKNOWN_34'],
  ])('names the symbols if %s were %s', (from, to) => {
    expect(() => refuseNewerSymbols(withVersion(from, to), 'a part')).toThrow(
      new RegExp(`^a part needs ${to}, which Debian 12 lacks: \\w+`),
    );
  });
});

describe('withoutSections', () => {
  it('leaves a program that runs and is smaller', () => {
    const path = join(tmpdir(), `verbatim-stripped-${process.pid}`);
    onTestFinished(() => rmSync(path));
    const whole = readFileSync(process.execPath);
    const stripped = withoutSections(whole);
    expect(stripped.length).toBeLessThanOrEqual(whole.length);
    expect(stripped.readBigUInt64LE(0x28)).toBe(0n);
    writeFileSync(path, stripped);
    chmodSync(path, 0o755);
    expect(execFileSync(path, ['--version'], { encoding: 'utf8' })).toBe(`${process.version}\n`);
  });

  it('refuses what is no ELF file', () => {
    expect(() => withoutSections(Buffer.from('#!/bin/sh\n'.repeat(20)))).toThrow('no ELF file');
  });
});
