import { describe, expect, it } from 'vitest';
import { createDownloadSlots } from '../../../src/dashboard/page/download-slots.ts';

const refused = expect.objectContaining({ code: 'too_many_downloads', status: 429 });

describe('downloads at the same time', () => {
  it('are limited for each customer', () => {
    const slots = createDownloadSlots({ downloadsInFlightMax: 9, downloadsPerCustomerMax: 2 });
    const release = slots.take(1);
    slots.take(1);
    expect(() => slots.take(1)).toThrow(refused);
    slots.take(2);
    release();
    slots.take(1);
    expect(() => slots.take(1)).toThrow(refused);
  });

  it('are limited in total', () => {
    const slots = createDownloadSlots({ downloadsInFlightMax: 2, downloadsPerCustomerMax: 2 });
    const release = slots.take(1);
    slots.take(2);
    expect(() => slots.take(3)).toThrow(refused);
    release();
    slots.take(3);
  });
});
