import { features } from '@portal/contract/features/features';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getAccountFeature, getFeature, listFeatures } from './features-desk.ts';
import { setFeature } from './switching.ts';

export const featuresRoutes: readonly Implementation[] = [implement(features, { listFeatures, getFeature, getAccountFeature, setFeature })];
