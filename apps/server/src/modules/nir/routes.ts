import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { importNirDelegations, readDelegationFile } from './delegation-import.ts';
import { exportNirDelegations, listNirDelegations } from './delegation-list.ts';
import { addNirDelegation, previewNirDelegation, returnNirDelegation } from './delegations.ts';
import { addEntity, changeEntity, deleteEntity, getEntity, listEntities, mergeEntity, pushEntity, unmergeEntity } from './entities.ts';
import { importEntities, readEntityFile } from './entity-import.ts';
import { listNirFreeSpace } from './free-space.ts';
import { moveNirDelegations } from './moves.ts';
import {
  addSubaccount,
  changeSubaccount,
  closeSubaccount,
  countRecords,
  countSubaccounts,
  getSubaccount,
  listSubaccounts,
  reopenSubaccount,
} from './subaccounts.ts';

export const nirRoutes: readonly Implementation[] = [
  implement(nirEntities, {
    listEntities,
    getEntity,
    addEntity,
    changeEntity,
    importEntities: afterReading(readEntityFile, importEntities),
    deleteEntity,
    mergeEntity,
    unmergeEntity,
    pushEntity,
  }),
  implement(nirSubaccounts, {
    listSubaccounts,
    countSubaccounts,
    countRecords,
    getSubaccount,
    addSubaccount,
    changeSubaccount,
    closeSubaccount,
    reopenSubaccount,
  }),
  implement(nirDelegations, {
    listNirDelegations,
    exportNirDelegations,
    listNirFreeSpace,
    previewNirDelegation,
    addNirDelegation,
    returnNirDelegation,
    importNirDelegations: afterReading(readDelegationFile, importNirDelegations),
    moveNirDelegations,
  }),
];
