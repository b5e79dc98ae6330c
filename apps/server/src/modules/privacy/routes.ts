import { privacy } from '@portal/contract/privacy/privacy';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { countErasures, erasePerson, fileErasure, listErasures, refuseErasure } from './erasures.ts';
import { agreeToEnding, listHolds, placeHold, releaseHold } from './holds.ts';
import { exportRetention, getRetention } from './retention-list.ts';

export const privacyRoutes: readonly Implementation[] = [
  implement(privacy, {
    getRetention,
    listHolds,
    exportRetention,
    placeHold,
    releaseHold,
    agreeToEnding,
    countErasures,
    listErasures,
    fileErasure,
    refuseErasure,
    erasePerson,
  }),
];
