import { checkSteps } from './check-steps.ts';
import { closing, selected } from './selection.ts';
import { runSteps, sumOf } from './steps.ts';

/** `npm run check [step …]`: everything but tests. */
const results = await runSteps(selected(checkSteps, process.argv.slice(2)), 2);
closing(results, sumOf(results));
