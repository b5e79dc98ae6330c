import { runProgram } from './steps.ts';
import { stubs } from './stubs/stubs.ts';
import { root } from './root.ts';

const usage = Object.entries(stubs)
  .map(([kind, { usage: words, example }]) => `${`npm run new ${kind} ${words}`.padEnd(58)}npm run new ${kind} ${example}`)
  .join('\n');

const [kind = '', ...words] = process.argv.slice(2);
const stub = Object.hasOwn(stubs, kind) ? stubs[kind] : undefined;
if (!stub) {
  console.log(usage);
  process.exitCode = kind === '' || kind === '--help' ? 0 : 2;
} else {
  try {
    const { files, next } = await stub.write(root, words);
    await runProgram('biome', ['format', '--write', ...files.filter(file => /\.tsx?$/.test(file))]);
    console.log(`Wrote ${files.join(', ')}.\n\nNext:`);
    for (const step of next) console.log(`- ${step}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
