import { registryCommand } from './cli/registry.ts';
import { sentenceOf } from './cli/sentence.ts';
import { readConfig } from './config.ts';
import { serve } from './serve.ts';

/** The program: `serve` runs the roles of this process, `registry …` is the operator's command line. */
async function main([command = 'serve', ...args]: string[]): Promise<void> {
  if (command === 'serve') await serve(readConfig(process.env));
  else if (command === 'registry') process.exitCode = await registryCommand(args, () => readConfig(process.env));
  else throw new Error(`"${command}" is not a command: serve, registry.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // One line that says what to do; the stack only on request.
  console.error(process.env.LOG_LEVEL === 'debug' ? error : sentenceOf(error));
  process.exit(1);
});
