import { board } from '@portal/contract/board/board';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { exportBoardReport, getBoardReport } from './report.ts';

export const boardRoutes: readonly Implementation[] = [implement(board, { getBoardReport, exportBoardReport })];
