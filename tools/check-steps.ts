import { checkActSentences } from './act-sentences.ts';
import { checkers } from './compiler.ts';
import { checkDependencyLines } from './dependency-lines.ts';
import { checkDocumentNames } from './document-names.ts';
import { checkFrozenMigrations } from './frozen-migrations.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkImports } from './import-rules.ts';
import { checkLock } from './lock.ts';
import { checkMigrationUpgrades } from './migration-upgrades.ts';
import { findingsStep, runProgram, type Step } from './steps.ts';
import { sqlStep } from './sql-check.ts';
import { tablesStep } from './table-owners.ts';

const program = (name: string, ...command: readonly [string, ...string[]]): Step => ({
  name,
  run: () => runProgram(command[0], command.slice(1)),
});

/** The compiler caches which files it has checked, by content; without its cache it checks all. */
const compiler = (name: string, config: string): Step =>
  program(name, 'tsc', '-p', config, ...checkers, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types/${name}.json`);

/** Everything that is checked without running the product. */
export const checkSteps: readonly Step[] = [
  findingsStep('lock', checkLock),
  compiler('types', 'tsconfig.json'),
  compiler('types-web', 'tsconfig.web.json'),
  program('lint', 'oxlint', '--type-aware', '--deny-warnings', '.'),
  program('format', 'biome', 'format', '.'),
  findingsStep('imports', checkImports),
  findingsStep('house-rules', checkHouseRules),
  findingsStep('sentences', checkActSentences),
  tablesStep,
  sqlStep,
  findingsStep('migrations', checkFrozenMigrations),
  findingsStep('upgrades', checkMigrationUpgrades),
  program('unused', 'knip', '--no-progress'),
  findingsStep('dependencies', checkDependencyLines),
  findingsStep('documents', checkDocumentNames),
  program('generated', process.execPath, 'tools/docs.ts', '--check'),
];
