export { previewAssignment } from './assignment-preview.ts';
export { type FileRow, registerRows } from './assignment-rows.ts';
export { addAssignment, changeAssignment, returnAssignment } from './customer-assignments.ts';
export { customersModule } from './module.ts';
