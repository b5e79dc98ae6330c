import { policy } from '@portal/contract/policy/policy';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { confirmPolicyChange, discardPolicyChange, preparePolicyChange, withdrawPolicyChange } from './changes.ts';
import { exportPolicyEffect, getPolicyEffect } from './effect.ts';
import { exportPolicy, getPolicy } from './policy-desk.ts';

export const policyRoutes = ({ perform }: Pick<RouteContext, 'perform'>): readonly Implementation[] => [
  implement(policy, {
    getPolicy,
    exportPolicy,
    getPolicyEffect,
    exportPolicyEffect,
    preparePolicyChange,
    discardPolicyChange,
    confirmPolicyChange: act => confirmPolicyChange(act, perform),
    withdrawPolicyChange: act => withdrawPolicyChange(act, perform),
  }),
];
