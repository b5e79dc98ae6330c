export { type Acknowledged, acknowledgement } from './acknowledgement.ts';
export { attributeHelp, attributeLabel } from './attribute-help.ts';
export { type AttributeName, type AttributeRule, attributeRule, attributes, findAttribute, type ValueType } from './attributes.ts';
export { type CheckMode, checkObject, checkValue, missingAttributes } from './check.ts';
export type { ClassName } from './class-name.ts';
export {
  type ClassRule,
  classes,
  classNames,
  findClass,
  isClassName,
  isFilledIn,
  type KeyUse,
  type TemplateRow,
  templateRow,
} from './classes.ts';
export { compareObjects, type LineChange } from './compare.ts';
export { exampleObject, exampleValue } from './example.ts';
export {
  type InverseValue,
  inverseValues,
  lookupKeys,
  type ObjectKey,
  type ObjectReference,
  primaryKey,
  rangeOf,
  rangeOfKey,
  readInverseValue,
  readKey,
  references,
} from './keys.ts';
export { isBeyondLimits, lengthProblem, longestObject, maxObjectLines, maxReferences, maxRepeated } from './limits.ts';
export { type MergeConflict, type MergeOutcome, mergeObjects } from './merge.ts';
export { nearest } from './nearest.ts';
export { normalise } from './normalise.ts';
export {
  attributeOf,
  eachListValue,
  formatObject,
  listValues,
  objectOf,
  parseObject,
  parseObjectInTurns,
  printObject,
  type RpslAttribute,
  type RpslObject,
  type RpslParagraph,
  type RpslReading,
  splitParagraphs,
  valueOf,
  valuesOf,
  withValue,
} from './object.ts';
export { firstProblems, maxProblems, type RpslProblem } from './problem.ts';
export { copiedText, copiedTextWithDummies, isPersonal, type Publication, publicationOf, publicObject, publicText } from './publication.ts';
export {
  applyRangeOperator,
  matchesPrefixRange,
  type PrefixRange,
  parsePrefixRange,
  parseRangeOperator,
  printPrefixRange,
  type RangeOperator,
} from './range-operator.ts';
export { objectsOfText, ordersOfText, withoutMark, withoutOrder, withReasons } from './submission.ts';
export {
  algorithmNames,
  algorithmProblem,
  delegatedZoneProblem,
  digestProblem,
  dsProblem,
  fewestServers,
  forbiddenAlgorithms,
  hostNameProblem,
  isInsideZone,
  isOutdatedDs,
  maxServers,
  reverseZoneOf,
  serverAddressProblem,
  serverBesideCaution,
  serverPlaceProblem,
} from './syntax/delegation.ts';
export { type AutoHandle, handlePrefix, parseAutoHandle } from './syntax/handles.ts';
export { isCountryCode } from './syntax/places.ts';
export { organisationTypes, statuses } from './syntax/registration.ts';
export { template } from './template.ts';
