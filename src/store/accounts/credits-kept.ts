/** What is left of a payment's credits when a part of its money is with the payer again. Pure. */

/**
 * As large a share of the credits as of the amount, rounded up to whole credits: in favour of the
 * customer. `amountBack` may exceed the amount, where a refund and a dispute are of the same money.
 */
export function creditsKept(
  { credits, amount }: { credits: number; amount: number },
  amountBack: number,
): number {
  const amountKept = Math.max(0, amount - amountBack);
  // The product of the two can be more than a number holds exactly.
  const product = BigInt(credits) * BigInt(amountKept);
  return Number((product + BigInt(amount) - 1n) / BigInt(amount));
}
