import { buildWeb, isWebBuilt } from './web/build-web.ts';
import { runProgram } from './steps.ts';

/** `npm run e2e [playwright options]`: the browser tests alone. */
if (!(await isWebBuilt())) await buildWeb();
const { passed } = await runProgram('playwright', ['test', '--reporter', 'list', ...process.argv.slice(2)], { live: true });
if (!passed) process.exitCode = 1;
