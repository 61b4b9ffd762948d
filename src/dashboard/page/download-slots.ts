/** Limits the files that are read and sent at the same time, of each customer and in total. Pure. */
import { VerbatimError } from '../../errors.ts';

export interface DownloadSlots {
  /**
   * Takes a slot, and returns the function that releases it. Throws `too_many_downloads` if none is
   * left.
   */
  take(customerId: number): () => void;
}

export interface DownloadSlotsOptions {
  downloadsInFlightMax: number;
  downloadsPerCustomerMax: number;
}

export function createDownloadSlots({
  downloadsInFlightMax,
  downloadsPerCustomerMax,
}: DownloadSlotsOptions): DownloadSlots {
  const byCustomer = new Map<number, number>();
  let total = 0;
  return {
    take(customerId) {
      const own = byCustomer.get(customerId) ?? 0;
      if (own >= downloadsPerCustomerMax || total >= downloadsInFlightMax) {
        throw new VerbatimError('too_many_downloads');
      }
      byCustomer.set(customerId, own + 1);
      total++;
      return () => {
        total--;
        const left = (byCustomer.get(customerId) ?? 1) - 1;
        if (left === 0) byCustomer.delete(customerId);
        else byCustomer.set(customerId, left);
      };
    },
  };
}
