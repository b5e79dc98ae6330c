export { policyModule } from './module.ts';
export type { EffectOf, AffectedRow, PolicyChanged } from './effect-of.ts';
