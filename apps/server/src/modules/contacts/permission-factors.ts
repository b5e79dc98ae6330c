import { allEndpoints } from '@portal/contract/api';
import { permissionFactorsOf } from '@portal/contract/permission-factors';

/** The permissions of this release whose use takes a second factor. */
export const permissionFactors = permissionFactorsOf(allEndpoints);
