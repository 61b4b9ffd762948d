/**
 * Ends worker threads on order. Node loads it first (`--import`), in every thread. The file in
 * ORDEAL_THREADS holds one order; the thread that takes it removes the file.
 *
 * A pool's threads wait for a task with `Atomics.wait`, and send its result through a port. So both
 * points of a task can be met: when it has arrived, and when it is done and its result is not sent.
 */
import { readFileSync, unlinkSync } from 'node:fs';
import { isMainThread, MessagePort, workerData } from 'node:worker_threads';

const path = process.env.ORDEAL_THREADS;
const role = isMainThread ? undefined : workerData?.role;
const EXIT_CODE = 7;

if (path !== undefined && role !== undefined) {
  const { wait } = Atomics;
  Atomics.wait = (...args) => {
    const result = wait(...args);
    dieIfOrdered('before');
    return result;
  };
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (...args) {
    if (args[0]?.taskId !== undefined) dieIfOrdered('after');
    return postMessage.apply(this, args);
  };
}

function dieIfOrdered(when) {
  let order;
  try {
    order = JSON.parse(readFileSync(path, 'utf8'));
    if (order.role !== role || order.when !== when) return;
    unlinkSync(path);
  } catch {
    // There is no order, or another thread has taken it.
    return;
  }
  if (order.how === 'exits') process.exit(EXIT_CODE);
  throw new Error('a fault of the ordeal');
}
