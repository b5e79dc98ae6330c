export { type AttributeName, type AttributeRule, attributeRule, attributes, findAttribute, type ValueType } from './attributes.ts';
export {
  type ClassName,
  type ClassRule,
  classes,
  classNames,
  findClass,
  isClassName,
  type KeyUse,
  type TemplateRow,
  templateRow,
} from './classes.ts';
export {
  attributeOf,
  formatObject,
  listValues,
  objectOf,
  parseObject,
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
export type { RpslProblem } from './problem.ts';
