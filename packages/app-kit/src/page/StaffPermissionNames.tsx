import type { StaffPermission } from '@portal/contract';
import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import { Fragment } from 'react';

/** Permissions of registry staff by their names. Loaded on demand: members never read them. @param quoted each in quotation marks, one of which is needed */
export const StaffPermissionNames = ({ permissions, quoted }: { permissions: readonly StaffPermission[]; quoted?: boolean }) => (
  <>
    {permissions.map((key, place) => (
      <Fragment key={key}>
        {place > 0 && (quoted && place === permissions.length - 1 ? ' or ' : ', ')}
        {quoted ? `“${staffPermissionWords[key]}”` : staffPermissionWords[key]}
      </Fragment>
    ))}
  </>
);
