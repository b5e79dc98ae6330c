export { beginningOfDay } from './changes.ts';
export { policyModule } from './module.ts';
export type { EffectOf, AffectedRow } from './effect-of.ts';
