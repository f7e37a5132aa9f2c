/** Made by make-icons.mjs of Tabler Icons 3.51.0 (MIT, LICENSE): the icons that the console shows. */
import { type Icon, outline, solid } from './icon.js';

export type { Icon };
export const IconActivity: Icon = outline('M3 12h4l3 8l4 -16l3 8h4');
export const IconAlarm: Icon = outline(
  'M5 13a7 7 0 1 0 14 0a7 7 0 1 0 -14 0',
  'M12 10l0 3l2 0',
  'M7 4l-2.75 2',
  'M17 4l2.75 2',
);
export const IconAlarmOff: Icon = outline(
  'M7.587 7.566a7 7 0 1 0 9.833 9.864m1.35 -2.645a7 7 0 0 0 -8.536 -8.56',
  'M12 12v1h1',
  'M5.261 5.265l-1.011 .735',
  'M17 4l2.75 2',
  'M3 3l18 18',
);
export const IconAlertCircle: Icon = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0',
  'M12 8v4',
  'M12 16h.01',
);
export const IconAlertCircleFilled: Icon = solid(
  'M12 2c5.523 0 10 4.477 10 10a10 10 0 0 1 -19.995 .324l-.005 -.324l.004 -.28c.148 -5.393 4.566 -9.72 9.996 -9.72zm.01 13l-.127 .007a1 1 0 0 0 0 1.986l.117 .007l.127 -.007a1 1 0 0 0 0 -1.986l-.117 -.007zm-.01 -8a1 1 0 0 0 -.993 .883l-.007 .117v4l.007 .117a1 1 0 0 0 1.986 0l.007 -.117v-4l-.007 -.117a1 1 0 0 0 -.993 -.883z',
);
export const IconAlertTriangle: Icon = outline(
  'M12 9v4',
  'M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0',
  'M12 16h.01',
);
export const IconArrowBackUp: Icon = outline('M9 14l-4 -4l4 -4', 'M5 10h11a4 4 0 1 1 0 8h-1');
export const IconArrowDown: Icon = outline('M12 5l0 14', 'M18 13l-6 6', 'M6 13l6 6');
export const IconArrowRight: Icon = outline('M5 12l14 0', 'M13 18l6 -6', 'M13 6l6 6');
export const IconArrowUp: Icon = outline('M12 5l0 14', 'M18 11l-6 -6', 'M6 11l6 -6');
export const IconArrowsExchange: Icon = outline('M7 10h14l-4 -4', 'M17 14h-14l4 4');
export const IconArrowsSort: Icon = outline('M3 9l4 -4l4 4m-4 -4v14', 'M21 15l-4 4l-4 -4m4 4v-14');
export const IconArrowsSplit: Icon = outline(
  'M21 17h-8l-3.5 -5h-6.5',
  'M21 7h-8l-3.495 5',
  'M18 10l3 -3l-3 -3',
  'M18 20l3 -3l-3 -3',
);
export const IconBan: Icon = outline('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0', 'M5.7 5.7l12.6 12.6');
export const IconBell: Icon = outline(
  'M10 5a2 2 0 1 1 4 0a7 7 0 0 1 4 6v3a4 4 0 0 0 2 3h-16a4 4 0 0 0 2 -3v-3a7 7 0 0 1 4 -6',
  'M9 17v1a3 3 0 0 0 6 0v-1',
);
export const IconBolt: Icon = outline('M13 3l0 7l6 0l-8 11l0 -7l-6 0l8 -11');
export const IconBook: Icon = outline(
  'M3 19a9 9 0 0 1 9 0a9 9 0 0 1 9 0',
  'M3 6a9 9 0 0 1 9 0a9 9 0 0 1 9 0',
  'M3 6l0 13',
  'M12 6l0 13',
  'M21 6l0 13',
);
export const IconBraces: Icon = outline(
  'M7 4a2 2 0 0 0 -2 2v3a2 3 0 0 1 -2 3a2 3 0 0 1 2 3v3a2 2 0 0 0 2 2',
  'M17 4a2 2 0 0 1 2 2v3a2 3 0 0 0 2 3a2 3 0 0 0 -2 3v3a2 2 0 0 1 -2 2',
);
export const IconCalendarTime: Icon = outline(
  'M11.795 21h-6.795a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v4',
  'M14 18a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M15 3v4',
  'M7 3v4',
  'M3 11h16',
  'M18 16.496v1.504l1 1',
);
export const IconCheck: Icon = outline('M5 12l5 5l10 -10');
export const IconChevronDown: Icon = outline('M6 9l6 6l6 -6');
export const IconChevronLeft: Icon = outline('M15 6l-6 6l6 6');
export const IconChevronRight: Icon = outline('M9 6l6 6l-6 6');
export const IconChevronUp: Icon = outline('M6 15l6 -6l6 6');
export const IconCircleCheck: Icon = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0',
  'M9 12l2 2l4 -4',
);
export const IconCircleFilled: Icon = solid(
  'M7 3.34a10 10 0 1 1 -4.995 8.984l-.005 -.324l.005 -.324a10 10 0 0 1 4.995 -8.336z',
);
export const IconCircleX: Icon = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0',
  'M10 10l4 4m0 -4l-4 4',
);
export const IconClock: Icon = outline('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0', 'M12 7v5l3 3');
export const IconCloudOff: Icon = outline(
  'M9.58 5.548c.24 -.11 .492 -.207 .752 -.286c1.88 -.572 3.956 -.193 5.444 1c1.488 1.19 2.162 3.007 1.77 4.769h.99c1.913 0 3.464 1.56 3.464 3.486c0 .957 -.383 1.824 -1.003 2.454m-2.997 1.033h-11.343c-2.572 -.004 -4.657 -2.011 -4.657 -4.487c0 -2.475 2.085 -4.482 4.657 -4.482c.13 -.582 .37 -1.128 .7 -1.62',
  'M3 3l18 18',
);
export const IconCode: Icon = outline('M7 8l-4 4l4 4', 'M17 8l4 4l-4 4', 'M14 4l-4 16');
export const IconColumnInsertRight: Icon = outline(
  'M6 4h4a1 1 0 0 1 1 1v14a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-14a1 1 0 0 1 1 -1',
  'M15 12l4 0',
  'M17 10l0 4',
);
export const IconCopy: Icon = outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666',
  'M4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1',
);
export const IconCopyPlus: Icon = outline(
  'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 -2.667l0 -8.666',
  'M4.012 16.737a2 2 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 1.158 .385 1.5 1',
  'M11 14h6',
  'M14 11v6',
);
export const IconDatabase: Icon = outline(
  'M4 6a8 3 0 1 0 16 0a8 3 0 1 0 -16 0',
  'M4 6v6a8 3 0 0 0 16 0v-6',
  'M4 12v6a8 3 0 0 0 16 0v-6',
);
export const IconDatabaseOff: Icon = outline(
  'M12.983 8.978c3.955 -.182 7.017 -1.446 7.017 -2.978c0 -1.657 -3.582 -3 -8 -3c-1.661 0 -3.204 .19 -4.483 .515m-2.783 1.228c-.471 .382 -.734 .808 -.734 1.257c0 1.22 1.944 2.271 4.734 2.74',
  'M4 6v6c0 1.657 3.582 3 8 3c.986 0 1.93 -.067 2.802 -.19m3.187 -.82c1.251 -.53 2.011 -1.228 2.011 -1.99v-6',
  'M4 12v6c0 1.657 3.582 3 8 3c3.217 0 5.991 -.712 7.261 -1.74m.739 -3.26v-4',
  'M3 3l18 18',
);
export const IconDeviceFloppy: Icon = outline(
  'M6 4h10l4 4v10a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2',
  'M10 14a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M14 4l0 4l-6 0l0 -4',
);
export const IconDots: Icon = outline(
  'M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconDotsVertical: Icon = outline(
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M11 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M11 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconDownload: Icon = outline(
  'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2',
  'M7 11l5 5l5 -5',
  'M12 4l0 12',
);
export const IconEraser: Icon = outline(
  'M19 20h-10.5l-4.21 -4.3a1 1 0 0 1 0 -1.41l10 -10a1 1 0 0 1 1.41 0l5 5a1 1 0 0 1 0 1.41l-9.2 9.3',
  'M18 13.3l-6.3 -6.3',
);
export const IconFileCode: Icon = outline(
  'M14 3v4a1 1 0 0 0 1 1h4',
  'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
  'M10 13l-1 2l1 2',
  'M14 13l1 2l-1 2',
);
export const IconFileOff: Icon = outline(
  'M3 3l18 18',
  'M7 3h7l5 5v7m0 4a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-14',
);
export const IconFilePlus: Icon = outline(
  'M14 3v4a1 1 0 0 0 1 1h4',
  'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
  'M12 11l0 6',
  'M9 14l6 0',
);
export const IconFileUpload: Icon = outline(
  'M14 3v4a1 1 0 0 0 1 1h4',
  'M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2',
  'M12 11v6',
  'M9.5 13.5l2.5 -2.5l2.5 2.5',
);
export const IconFiles: Icon = outline(
  'M15 3v4a1 1 0 0 0 1 1h4',
  'M18 17h-7a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2h4l5 5v7a2 2 0 0 1 -2 2',
  'M16 17v2a2 2 0 0 1 -2 2h-7a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2h2',
);
export const IconFilter: Icon = outline(
  'M4 4h16v2.172a2 2 0 0 1 -.586 1.414l-4.414 4.414v7l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1 -.52 -1.345v-2.227',
);
export const IconFilterOff: Icon = outline(
  'M8 4h12v2.172a2 2 0 0 1 -.586 1.414l-3.914 3.914m-.5 3.5v4l-6 2v-8.5l-4.48 -4.928a2 2 0 0 1 -.52 -1.345v-2.227',
  'M3 3l18 18',
);
export const IconFlag: Icon = outline(
  'M5 5a5 5 0 0 1 7 0a5 5 0 0 0 7 0v9a5 5 0 0 1 -7 0a5 5 0 0 0 -7 0v-9',
  'M5 21v-7',
);
export const IconFlask: Icon = outline(
  'M9 3l6 0',
  'M10 9l4 0',
  'M10 3v6l-4 11a.7 .7 0 0 0 .5 1h11a.7 .7 0 0 0 .5 -1l-4 -11v-6',
);
export const IconFolderPlus: Icon = outline(
  'M12 19h-7a2 2 0 0 1 -2 -2v-11a2 2 0 0 1 2 -2h4l3 3h7a2 2 0 0 1 2 2v3.5',
  'M16 19h6',
  'M19 16v6',
);
export const IconForms: Icon = outline(
  'M12 3a3 3 0 0 0 -3 3v12a3 3 0 0 0 3 3',
  'M6 3a3 3 0 0 1 3 3v12a3 3 0 0 1 -3 3',
  'M13 7h7a1 1 0 0 1 1 1v8a1 1 0 0 1 -1 1h-7',
  'M5 7h-1a1 1 0 0 0 -1 1v8a1 1 0 0 0 1 1h1',
  'M17 12h.01',
  'M13 12h.01',
);
export const IconGitCommit: Icon = outline(
  'M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  'M12 3l0 6',
  'M12 15l0 6',
);
export const IconGitCompare: Icon = outline(
  'M4 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M16 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M11 6h5a2 2 0 0 1 2 2v8',
  'M14 9l-3 -3l3 -3',
  'M13 18h-5a2 2 0 0 1 -2 -2v-8',
  'M10 15l3 3l-3 3',
);
export const IconGitMerge: Icon = outline(
  'M5 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M5 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M15 12a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  'M7 8l0 8',
  'M7 8a4 4 0 0 0 4 4h4',
);
export const IconGripVertical: Icon = outline(
  'M8 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M8 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M8 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M14 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconHandStop: Icon = outline(
  'M8 13v-7.5a1.5 1.5 0 0 1 3 0v6.5',
  'M11 5.5v-2a1.5 1.5 0 1 1 3 0v8.5',
  'M14 5.5a1.5 1.5 0 0 1 3 0v6.5',
  'M17 7.5a1.5 1.5 0 0 1 3 0v8.5a6 6 0 0 1 -6 6h-2h.208a6 6 0 0 1 -5.012 -2.7a69.74 69.74 0 0 1 -.196 -.3c-.312 -.479 -1.407 -2.388 -3.286 -5.728a1.5 1.5 0 0 1 .536 -2.022a1.867 1.867 0 0 1 2.28 .28l1.47 1.47',
);
export const IconHeartbeat: Icon = outline(
  'M19.5 13.572l-7.5 7.428l-2.896 -2.868m-6.117 -8.104a5 5 0 0 1 9.013 -3.022a5 5 0 1 1 7.5 6.572',
  'M3 13h2l2 3l2 -6l1 3h3',
);
export const IconHistory: Icon = outline('M12 8l0 4l2 2', 'M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5');
export const IconHourglass: Icon = outline(
  'M6.5 7h11',
  'M6.5 17h11',
  'M6 20v-2a6 6 0 1 1 12 0v2a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1',
  'M6 4v2a6 6 0 1 0 12 0v-2a1 1 0 0 0 -1 -1h-10a1 1 0 0 0 -1 1',
);
export const IconInbox: Icon = outline(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12',
  'M4 13h3l3 3h4l3 -3h3',
);
export const IconIndentIncrease: Icon = outline(
  'M20 6l-11 0',
  'M20 12l-7 0',
  'M20 18l-11 0',
  'M4 8l4 4l-4 4',
);
export const IconInfoCircle: Icon = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0',
  'M12 9h.01',
  'M11 12h1v4h1',
);
export const IconKey: Icon = outline(
  'M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0',
  'M15 9h.01',
);
export const IconLayersIntersect: Icon = outline(
  'M8 6a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -8',
  'M4 10a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2l0 -8',
);
export const IconLayoutColumns: Icon = outline(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12',
  'M12 4l0 16',
);
export const IconLayoutDashboard: Icon = outline(
  'M5 4h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1',
  'M5 16h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1',
  'M15 12h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1',
  'M15 4h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1',
);
export const IconLayoutSidebar: Icon = outline(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12',
  'M9 4l0 16',
);
export const IconListTree: Icon = outline(
  'M9 6h11',
  'M12 12h8',
  'M15 18h5',
  'M5 6v.01',
  'M8 12v.01',
  'M11 18v.01',
);
export const IconLock: Icon = outline(
  'M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-6',
  'M11 16a1 1 0 1 0 2 0a1 1 0 0 0 -2 0',
  'M8 11v-4a4 4 0 1 1 8 0v4',
);
export const IconLockOpen: Icon = outline(
  'M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -6',
  'M11 16a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M8 11v-5a4 4 0 0 1 8 0',
);
export const IconLogin2: Icon = outline(
  'M9 8v-2a2 2 0 0 1 2 -2h7a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-7a2 2 0 0 1 -2 -2v-2',
  'M3 12h13l-3 -3',
  'M13 15l3 -3',
);
export const IconLogout: Icon = outline(
  'M14 8v-2a2 2 0 0 0 -2 -2h-7a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2 -2v-2',
  'M9 12h12l-3 -3',
  'M18 15l3 -3',
);
export const IconMap2: Icon = outline(
  'M12 18.5l-3 -1.5l-6 3v-13l6 -3l6 3l6 -3v7.5',
  'M9 4v13',
  'M15 7v5.5',
  'M21.121 20.121a3 3 0 1 0 -4.242 0c.418 .419 1.125 1.045 2.121 1.879c1.051 -.89 1.759 -1.516 2.121 -1.879',
  'M19 18v.01',
);
export const IconMaximize: Icon = outline(
  'M4 8v-2a2 2 0 0 1 2 -2h2',
  'M4 16v2a2 2 0 0 0 2 2h2',
  'M16 4h2a2 2 0 0 1 2 2v2',
  'M16 20h2a2 2 0 0 0 2 -2v-2',
);
export const IconMinus: Icon = outline('M5 12l14 0');
export const IconMoon: Icon = outline(
  'M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008',
);
export const IconPencil: Icon = outline(
  'M4 20h4l10.5 -10.5a2.828 2.828 0 1 0 -4 -4l-10.5 10.5v4',
  'M13.5 6.5l4 4',
);
export const IconPlayerPause: Icon = outline(
  'M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12',
  'M14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -12',
);
export const IconPlayerPlay: Icon = outline('M7 4v16l13 -8l-13 -8');
export const IconPlayerStop: Icon = outline(
  'M5 7a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -10',
);
export const IconPlus: Icon = outline('M12 5l0 14', 'M5 12l14 0');
export const IconPointFilled: Icon = solid(
  'M12 7a5 5 0 1 1 -4.995 5.217l-.005 -.217l.005 -.217a5 5 0 0 1 4.995 -4.783z',
);
export const IconPointer: Icon = outline(
  'M7.904 17.563a1.2 1.2 0 0 0 2.228 .308l2.09 -3.093l4.907 4.907a1.067 1.067 0 0 0 1.509 0l1.047 -1.047a1.067 1.067 0 0 0 0 -1.509l-4.907 -4.907l3.113 -2.09a1.2 1.2 0 0 0 -.309 -2.228l-13.582 -3.904l3.904 13.563',
);
export const IconRefresh: Icon = outline(
  'M20 11a8.1 8.1 0 0 0 -15.5 -2m-.5 -4v4h4',
  'M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
);
export const IconRestore: Icon = outline(
  'M3.06 13a9 9 0 1 0 .49 -4.087',
  'M3 4.001v5h5',
  'M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconRocket: Icon = outline(
  'M4 13a8 8 0 0 1 7 7a6 6 0 0 0 3 -5a9 9 0 0 0 6 -8a3 3 0 0 0 -3 -3a9 9 0 0 0 -8 6a6 6 0 0 0 -5 3',
  'M7 14a6 6 0 0 0 -3 6a6 6 0 0 0 6 -3',
  'M14 9a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconRowInsertBottom: Icon = outline(
  'M20 6v4a1 1 0 0 1 -1 1h-14a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1h14a1 1 0 0 1 1 1',
  'M12 15l0 4',
  'M14 17l-4 0',
);
export const IconRuler2: Icon = outline(
  'M17 3l4 4l-14 14l-4 -4l14 -14',
  'M16 7l-1.5 -1.5',
  'M13 10l-1.5 -1.5',
  'M10 13l-1.5 -1.5',
  'M7 16l-1.5 -1.5',
);
export const IconSearch: Icon = outline('M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0', 'M21 21l-6 -6');
export const IconSearchOff: Icon = outline(
  'M5.039 5.062a7 7 0 0 0 9.91 9.89m1.584 -2.434a7 7 0 0 0 -9.038 -9.057',
  'M3 3l18 18',
);
export const IconSend: Icon = outline(
  'M10 14l11 -11',
  'M21 3l-6.5 18a.55 .55 0 0 1 -1 0l-3.5 -7l-7 -3.5a.55 .55 0 0 1 0 -1l18 -6.5',
);
export const IconServerOff: Icon = outline(
  'M12 12h-6a3 3 0 0 1 -3 -3v-2c0 -1.083 .574 -2.033 1.435 -2.56m3.565 -.44h10a3 3 0 0 1 3 3v2a3 3 0 0 1 -3 3h-2',
  'M16 12h2a3 3 0 0 1 3 3v2m-1.448 2.568a2.986 2.986 0 0 1 -1.552 .432h-12a3 3 0 0 1 -3 -3v-2a3 3 0 0 1 3 -3h6',
  'M7 8v.01',
  'M7 16v.01',
  'M3 3l18 18',
);
export const IconShieldCheck: Icon = outline(
  'M11.46 20.846a12 12 0 0 1 -7.96 -14.846a12 12 0 0 0 8.5 -3a12 12 0 0 0 8.5 3a12 12 0 0 1 -.09 7.06',
  'M15 19l2 2l4 -4',
);
export const IconStack2: Icon = outline(
  'M12 4l-8 4l8 4l8 -4l-8 -4',
  'M4 12l8 4l8 -4',
  'M4 16l8 4l8 -4',
);
export const IconSun: Icon = outline(
  'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7',
);
export const IconTable: Icon = outline(
  'M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14',
  'M3 10h18',
  'M10 3v18',
);
export const IconTag: Icon = outline(
  'M6.5 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
  'M3 6v5.172a2 2 0 0 0 .586 1.414l7.71 7.71a2.41 2.41 0 0 0 3.408 0l5.592 -5.592a2.41 2.41 0 0 0 0 -3.408l-7.71 -7.71a2 2 0 0 0 -1.414 -.586h-5.172a3 3 0 0 0 -3 3',
);
export const IconTrash: Icon = outline(
  'M4 7l16 0',
  'M10 11l0 6',
  'M14 11l0 6',
  'M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12',
  'M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3',
);
export const IconUser: Icon = outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2',
);
export const IconUserCheck: Icon = outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M6 21v-2a4 4 0 0 1 4 -4h4',
  'M15 19l2 2l4 -4',
);
export const IconUserEdit: Icon = outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M6 21v-2a4 4 0 0 1 4 -4h3.5',
  'M18.42 15.61a2.1 2.1 0 0 1 2.97 2.97l-3.39 3.42h-3v-3l3.42 -3.39',
);
export const IconUserSearch: Icon = outline(
  'M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M6 21v-2a4 4 0 0 1 4 -4h1.5',
  'M15 18a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  'M20.2 20.2l1.8 1.8',
);
export const IconUsers: Icon = outline(
  'M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  'M3 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2',
  'M16 3.13a4 4 0 0 1 0 7.75',
  'M21 21v-2a4 4 0 0 0 -3 -3.85',
);
export const IconUsersGroup: Icon = outline(
  'M10 13a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M8 21v-1a2 2 0 0 1 2 -2h4a2 2 0 0 1 2 2v1',
  'M15 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M17 10h2a2 2 0 0 1 2 2v1',
  'M5 5a2 2 0 1 0 4 0a2 2 0 0 0 -4 0',
  'M3 13v-1a2 2 0 0 1 2 -2h2',
);
export const IconUsersPlus: Icon = outline(
  'M5 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0',
  'M3 21v-2a4 4 0 0 1 4 -4h4c.96 0 1.84 .338 2.53 .901',
  'M16 3.13a4 4 0 0 1 0 7.75',
  'M16 19h6',
  'M19 16v6',
);
export const IconWand: Icon = outline(
  'M6 21l15 -15l-3 -3l-15 15l3 3',
  'M15 6l3 3',
  'M9 3a2 2 0 0 0 2 2a2 2 0 0 0 -2 2a2 2 0 0 0 -2 -2a2 2 0 0 0 2 -2',
  'M19 13a2 2 0 0 0 2 2a2 2 0 0 0 -2 2a2 2 0 0 0 -2 -2a2 2 0 0 0 2 -2',
);
export const IconWebhook: Icon = outline(
  'M4.876 13.61a4 4 0 1 0 6.124 3.39h6',
  'M15.066 20.502a4 4 0 1 0 1.934 -7.502c-.706 0 -1.424 .179 -2 .5l-3 -5.5',
  'M16 8a4 4 0 1 0 -8 0c0 1.506 .77 2.818 2 3.5l-3 5.5',
);
export const IconWebhookOff: Icon = outline(
  'M4.876 13.61a4 4 0 1 0 6.124 3.39h6',
  'M15.066 20.502a4 4 0 0 0 4.763 -.675m1.171 -2.827a4 4 0 0 0 -4 -4',
  'M16 8a4 4 0 0 0 -6.824 -2.833m-1.176 2.833c0 1.506 .77 2.818 2 3.5l-3 5.5',
  'M3 3l18 18',
);
export const IconWorld: Icon = outline(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0',
  'M3.6 9h16.8',
  'M3.6 15h16.8',
  'M11.5 3a17 17 0 0 0 0 18',
  'M12.5 3a17 17 0 0 1 0 18',
);
export const IconX: Icon = outline('M18 6l-12 12', 'M6 6l12 12');
