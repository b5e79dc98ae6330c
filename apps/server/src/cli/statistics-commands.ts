import fs from 'node:fs';
import { once } from 'node:events';
import { exportStatistics, importStatistics } from '../modules/resources/index.ts';
import { migrate } from '../platform/database/index.ts';
import { type Command, CommandFailure } from './registry.ts';

export const statisticsCommands: readonly Command[] = [];
