import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const applicationNames: ActNames = {
  application: nameIn('membershipApplication', { id: 'membershipApplicationId', name: 'orgName', owner: null }),
  referral: nameIn('referral', { id: 'referralId', name: 'orgName', owner: 'accountName' }),
};
