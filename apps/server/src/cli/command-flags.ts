/**
 * The embedded database compiles itself twice over to get faster with time, with 350 MB more at its peak; a command is done before that pays. A process that has set these
 * itself can't use what others have compiled, nor they what it has: where many commands run, Node.js starts with them (NODE_COMPILE_CACHE keeps a folder for each set of flags).
 */
export const commandFlags: readonly string[] = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];
