export {
  addAssignment,
  editAssignment,
  type FileRow,
  previewAssignment,
  registerRows,
  returnAssignment,
  type Writing,
} from './customer-assignments.ts';
export { customersModule } from './module.ts';
