export { type Address, addressSpaceSize, compareAddresses, parseAddress, printAddress, printExpandedAddress } from './address.ts';
export {
  type AsRange,
  asRangeOfCount,
  asTrans,
  is4ByteAsNumber,
  maxAsNumber,
  parseAsNumber,
  parseAsRange,
  printAsdot,
  printAsNumber,
  printAsRange,
} from './as-number.ts';
export { bestFitPrefix, grownPrefix, lowestAsNumber, sparsePrefix } from './choose-block.ts';
export { parseStatisticsResource } from './delegated-statistics.ts';
export { formatCount, formatMoney, formatRange, formatShare, groupDigits } from './digits.ts';
export { type AddressFamily, addressBits, familyName, type ResourceFamily } from './family.ts';
export { type AsNeighbour, AsNeighbours } from './as-neighbours.ts';
export { MrtError, readMrtTable, type TableEntry } from './mrt.ts';
export { readDumpLine } from './ris-whois-dump.ts';
export { hdRatio, hdThreshold, suggestHdLength } from './hd-ratio.ts';
export {
  type InputPosition,
  isRefused,
  type ReadItem,
  type ReadOptions,
  type RefusedItem,
  type ResourceReading,
  readResource,
  readResources,
} from './input.ts';
export {
  coveringPlaces,
  coveringVrps,
  decidingVrps,
  indexVrps,
  isCovered,
  vrpIndexing,
  vrpsOfAs,
  validityAmong,
  type Validity,
  validateOrigin,
  validities,
  type Vrp,
  type VrpIndex,
} from './origin-validation.ts';
export {
  childPrefix,
  childPrefixes,
  countChildren,
  neighbourPrefix,
  type Prefix,
  parentPrefix,
  parsePrefix,
  prefixAt,
  printPrefix,
} from './prefix.ts';
export {
  type AddressRange,
  containsRange,
  coverRange,
  enclosingPrefix,
  overlapsRange,
  parseRange,
  prefixOfRange,
  printEnds,
  printRange,
  rangeOfCount,
} from './range.ts';
export { compareResources, equalResources, type NumberResource, parseResource, printResource } from './resource.ts';
export {
  containsResource,
  containsSet,
  countSet,
  emptySet,
  equalSets,
  intersectSets,
  isEmptySet,
  listGaps,
  listPrefixes,
  listRanges,
  listResources,
  overlapsResource,
  type ResourceSet,
  resourceSetOf,
  subtractSets,
  unionSets,
} from './resource-set.ts';
export {
  listReverseZones,
  listZonePrefixes,
  parseReverseZone,
  listClasslessAliases,
  printClasslessZone,
  printReverseName,
  printReverseZone,
} from './reverse-zone.ts';
export { countAddresses, countBlocks, type Ipv4Size, type Ipv6Size, ipv4Size, ipv6Size } from './size.ts';
export { maxPlanned, planSparse, type SparseMethod, type SparseStep, sparseIndex, sparseMethods } from './sparse-order.ts';
export {
  findSpecialAs,
  findSpecialBlock,
  listSpecialBlocks,
  type SpecialAsRange,
  type SpecialBlock,
  type SpecialUse,
  specialUsesIn,
} from './special-purpose.ts';
export { quoteInput, type ResourceSyntaxCode, ResourceSyntaxError } from './syntax-error.ts';
export { finerZones, placeZones, type ZonePlacement, zonesNear } from './zone-placement.ts';
