/** What a campaign can be (CAM-03). It goes on from SCHEDULED by PENDING and IN_PROGRESS to COMPLETED, or is CANCELLED before it is due (CAM-15). */
export const campaignStatuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'SCHEDULED', 'CANCELLED'] as const;
