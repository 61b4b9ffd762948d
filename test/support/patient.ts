/**
 * For `vi.waitFor` and the like: a state that surely comes is waited for, however busy the machine
 * is. Their own second is a race with the program.
 */
export const PATIENT = { timeout: 300_000, interval: 20 };
