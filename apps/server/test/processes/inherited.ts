/** The part of this process's environment that programs get: PATH and the compile cache of the run (vitest.config.ts), and no settings. */
export const inherited: Record<string, string | undefined> = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
