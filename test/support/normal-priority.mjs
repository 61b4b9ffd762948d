/**
 * Loaded before the program in tests: builds keep the priority that they were started with. With
 * their own, the lowest, they hardly get on beside busy processes, and their tests time out.
 */
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

os.setPriority = () => {};
syncBuiltinESMExports();
