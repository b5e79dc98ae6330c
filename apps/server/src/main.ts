import { sentenceOf } from './cli/sentence.ts';
import { readConfig } from './config.ts';

/** The program: `serve` runs the roles of this process, `registry …` is the operator's command line. */
async function main([command = 'serve', ...args]: string[]): Promise<void> {
  if (command === 'serve') {
    // A wrong setting is told before two thousand files are read.
    const config = readConfig(process.env);
    const { serve } = await import('./serve.ts');
    await serve(config);
  } else if (command === 'registry') {
    const { registryCommand } = await import('./cli/registry.ts');
    process.exitCode = await registryCommand(args, () => readConfig(process.env));
  } else throw new Error(`"${command}" is not a command: serve, registry.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // One line that says what to do; the stack only on request.
  console.error(process.env.LOG_LEVEL === 'debug' ? error : sentenceOf(error));
  process.exit(1);
});
