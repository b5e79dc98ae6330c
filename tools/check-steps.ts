import { checkDependencyLines } from './dependency-lines.ts';
import { checkFrozenMigrations } from './frozen-migrations.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkImports } from './import-rules.ts';
import { checkLock } from './lock.ts';
import { findingsStep, runProgram, type Step } from './steps.ts';
import { tablesStep } from './table-owners.ts';

const program = (name: string, ...command: readonly [string, ...string[]]): Step => ({
  name,
  run: () => runProgram(command[0], command.slice(1)),
});

/** Everything that is checked without running the product. */
export const checkSteps: readonly Step[] = [
  findingsStep('lock', checkLock),
  program('types', 'tsc', '-p', 'tsconfig.json'),
  program('types-web', 'tsc', '-p', 'tsconfig.web.json'),
  program('lint', 'oxlint', '--type-aware', '--deny-warnings', '.'),
  program('format', 'biome', 'format', '.'),
  findingsStep('imports', checkImports),
  findingsStep('house-rules', checkHouseRules),
  tablesStep,
  findingsStep('migrations', checkFrozenMigrations),
  program('unused', 'knip', '--no-progress'),
  findingsStep('dependencies', checkDependencyLines),
  program('generated', process.execPath, 'tools/docs.ts', '--check'),
];
