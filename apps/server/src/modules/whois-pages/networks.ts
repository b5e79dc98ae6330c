import type { PublicRecord } from '../records/index.ts';

const classes: ReadonlySet<string> = new Set(['inetnum', 'inet6num']);

/** Returns the networks around some numbers, or in them, by their objects. */
export const networksOf = ({ objects }: Pick<PublicRecord, 'objects'>, relation: 'around' | 'inside'): PublicRecord['objects'] =>
  objects.filter(each => each.relation === relation && classes.has(each.class));
