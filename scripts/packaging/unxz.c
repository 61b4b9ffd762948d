/*
 * Writes the xz file at standard input, unpacked, to standard output. The single file carries this
 * program, because minimal systems have no xz. liblzma does the work and is linked statically, so
 * the program needs nothing but glibc.
 *
 * Exits with 0 if the input was whole, with 1 after a message otherwise.
 */
#include <errno.h>
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20 };

static uint8_t input[BUFFER_BYTES];
static uint8_t output[BUFFER_BYTES];

static int fail(const char *reason) {
  fprintf(stderr, "cannot unpack: %s\n", reason);
  return 1;
}

static const char *describe(lzma_ret result) {
  switch (result) {
    case LZMA_MEM_ERROR:
      return "not enough memory";
    case LZMA_BUF_ERROR:
      return "the data ends too early";
    default:
      return "the data is damaged";
  }
}

int main(void) {
  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_mt options = {
      /* One thread per block of the input. Blocks are large, so more threads would only take memory. */
      .threads = 2,
      .memlimit_threading = UINT64_C(512) << 20,
      .memlimit_stop = UINT64_MAX,
  };
  if (lzma_stream_decoder_mt(&stream, &options) != LZMA_OK) return fail("not enough memory");

  lzma_action action = LZMA_RUN;
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK) {
    if (stream.avail_in == 0 && action == LZMA_RUN) {
      stream.next_in = input;
      stream.avail_in = fread(input, 1, sizeof input, stdin);
      if (ferror(stdin)) return fail(strerror(errno));
      if (feof(stdin)) action = LZMA_FINISH;
    }
    stream.next_out = output;
    stream.avail_out = sizeof output;
    result = lzma_code(&stream, action);
    size_t bytes = sizeof output - stream.avail_out;
    if (fwrite(output, 1, bytes, stdout) != bytes) return fail(strerror(errno));
  }
  if (result != LZMA_STREAM_END) return fail(describe(result));
  return fflush(stdout) == 0 ? 0 : fail(strerror(errno));
}
