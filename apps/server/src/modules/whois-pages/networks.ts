import type { PublicRecord } from '../records/index.ts';

const classes: ReadonlySet<string> = new Set(['inetnum', 'inet6num']);

/** Whether an object is a network of addresses. */
export const isNetwork = ({ class: name }: Pick<PublicRecord['objects'][number], 'class'>): boolean => classes.has(name);

/** Returns the networks around some numbers, or in them, by their objects. */
export const networksOf = ({ objects }: Pick<PublicRecord, 'objects'>, relation: 'around' | 'inside'): PublicRecord['objects'] =>
  objects.filter(each => each.relation === relation && isNetwork(each));
