/**
 * Server tests that change a module or the process for all others in it, or measure turns of a process that has done nothing else before. Each has a separate process
 * (vitest.config.ts); a house rule finds others that would need one.
 */
export const testsAlone: readonly string[] = [
  'apps/server/src/modules/identity/sign-in/sign-in-safety.test.ts',
  'apps/server/test/security/uploaded-lists.test.ts',
];
