import { brand } from '@portal/contract/brand/brand';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getBrand, previewBrandMail } from './brand-desk.ts';
import { confirmBrandChange, discardBrandChange, prepareBrandChange, withdrawBrandChange } from './changes.ts';

export const brandRoutes: readonly Implementation[] = [
  implement(brand, { getBrand, previewBrandMail, prepareBrandChange, discardBrandChange, confirmBrandChange, withdrawBrandChange }),
];
