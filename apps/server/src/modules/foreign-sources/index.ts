export { type ConfiguredSource, foreignSourcesOf } from './configured.ts';
export {
  foreignAround,
  type ForeignFound,
  foreignInside,
  foreignInverse,
  foreignKeys,
  foreignMembers,
  foreignRoutesOf,
  type ForeignSource,
  foreignSourceFacts,
  readForeign,
  wayInWords,
} from './find.ts';
export { searchForeign } from './search.ts';
export { foreignSourcesModule } from './module.ts';
