import { brand } from '@portal/contract/brand/brand';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getBrand, previewBrandMail } from './brand-desk.ts';
import { confirmBrandChange, discardBrandChange, prepareBrandChange, withdrawBrandChange } from './changes.ts';
import { getBrandLogo, readUploadedLogo, uploadBrandLogo } from './logos.ts';

export const brandRoutes: readonly Implementation[] = [
  implement(brand, {
    getBrand,
    previewBrandMail,
    getBrandLogo,
    uploadBrandLogo: afterReading(readUploadedLogo, uploadBrandLogo),
    prepareBrandChange,
    discardBrandChange,
    confirmBrandChange,
    withdrawBrandChange,
  }),
];
