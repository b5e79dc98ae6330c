export { type DemoPerson, demoPasswordOf, demoPeople } from './people.ts';
export { demoIsLoaded, loadDemo } from './registry.ts';
