import { registryCommand } from './cli/registry.ts';
import { readConfig } from './config.ts';
import { serve } from './serve.ts';

/** The program: `serve` runs the roles of this process, `registry …` is the operator's command line. */
async function main([command = 'serve', ...args]: string[]): Promise<void> {
  const config = readConfig(process.env);
  if (command === 'serve') await serve(config);
  else if (command === 'registry') process.exitCode = await registryCommand(args, config);
  else throw new Error(`"${command}" is not a command: serve, registry.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // One line that says what to do; the stack only for whoever asks for it.
  console.error(error instanceof Error && process.env.LOG_LEVEL !== 'debug' ? error.message : error);
  process.exit(1);
});
