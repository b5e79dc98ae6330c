import { enableCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';
import { sentenceOf } from './cli/sentence.ts';
import { readConfig } from './config.ts';
import { limitHeap } from './heap-limit.ts';
import { createLog } from './platform/log.ts';

/** The program: `serve` runs the roles of this process, `registry …` is the operator's command line. */
async function main([command = 'serve', ...args]: string[]): Promise<void> {
  if (command === 'serve') {
    // A wrong setting is reported before two thousand files are read.
    const config = readConfig(process.env);
    limitHeap(config.memoryMegabytes, process.env);
    cacheCompiledModules(path.join(config.dataDir, 'compiled'));
    const [{ openConfiguredDatabase }, { readProfile }] = await Promise.all([import('./configured-database.ts'), import('./profile.ts')]);
    const profile = readProfile(config.profile, { isDemo: config.demoMode, isProduction: config.production });
    const log = createLog(config.logLevel);
    const open = () => {
      const database = openConfiguredDatabase(config, log);
      database.catch(() => {}); // `serve` awaits it and reports why it could not be opened.
      return database;
    };
    // The embedded database opens in its thread while this one reads the modules. A connection to a server is opened by this thread, after it has read them: on a
    // machine that is busy enough the time for connecting would run out meanwhile.
    const openedBeside = config.databaseUrl.startsWith('postgres') ? null : open();
    const { serve } = await import('./serve.ts');
    const database = openedBeside ?? open();
    await serve(config, { profile, log, database });
  } else if (command === 'registry') {
    const { registryCommand } = await import('./cli/registry.ts');
    process.exitCode = await registryCommand(args, () => readConfig(process.env));
  } else throw new Error(`"${command}" is not a command: serve, registry.`);
}

/**
 * Each start after the first reads what the one before compiled, in this thread and in those that it starts; they find the folder in the environment.
 * Where the folder can't be written, everything is compiled as without it.
 */
function cacheCompiledModules(folder: string): void {
  enableCompileCache(folder);
  if (getCompileCacheDir() !== undefined) process.env.NODE_COMPILE_CACHE ??= folder;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // One line that says what to do; the stack only on request.
  console.error(process.env.LOG_LEVEL === 'debug' ? error : sentenceOf(error));
  process.exit(1);
});
