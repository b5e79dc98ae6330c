export { previewAssignment } from './assignment-preview.ts';
export { type FileRow, registerRows } from './assignment-rows.ts';
export { addAssignment, editAssignment, returnAssignment } from './customer-assignments.ts';
export type { Writing } from './new-assignment.ts';
export { customersModule } from './module.ts';
