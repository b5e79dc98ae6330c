import { vi } from 'vitest';

/*
 * Passwords of tests are hashed and verified by the real argon2id with the least memory that it takes: a file of sign-in tests hashes
 * hundreds. What runs outside the test runner, and `secrets.test.ts`, has the real figures.
 */
vi.mock('../src/modules/identity/password-cost.ts', () => ({ passwordCost: { memory: 8, passes: 1, parallelism: 1 } }));
