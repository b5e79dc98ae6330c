import { flags } from '@portal/contract';
import { featureNamed } from '@portal/contract/features/features';
import type { ActNames } from '../../platform/act-names.ts';

export const featuresNames: ActNames = {
  feature: ({ id, asStaff }) => {
    const feature = asStaff ? featureNamed(id) : null;
    return Promise.resolve(feature && flags[feature].title);
  },
};
