export { enableRpki } from './hosted-rpki.ts';
export { resealRpkiKeys } from './keys.ts';
export { rpkiModule } from './module.ts';
export { beginAnew, publishAll, publishRepository } from './publisher.ts';
export { checkRepository } from './repository-check.ts';
export { changeRoas } from './roas.ts';
export { rsyncdConfiguration } from './rsyncd.ts';
export { listVrps } from './vrps.ts';
