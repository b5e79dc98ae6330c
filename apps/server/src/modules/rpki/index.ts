export { findAuthority } from './authorities.ts';
export { resealRpkiKeys } from './keys.ts';
export { rpkiModule } from './module.ts';
export { publishAll, repositoryFilesOf } from './publisher.ts';
export { judgeRoaChanges, type KeptRoa, keptRoas, type RoaFacts } from './roa-changes.ts';
export { changeRoas, listRoas, printRoa, roasOf } from './roas.ts';
export { listVrps, type PublishedVrp } from './vrps.ts';
