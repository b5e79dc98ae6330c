export { demoPeople } from './people.ts';
export { loadedDemo } from './demo-registry.ts';
export { makeRegion, RegionRefused, sizeOfRegion } from './region/region.ts';
export { emptyDatabase, ensureDemo, loadDemo } from './registry.ts';
