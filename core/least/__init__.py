"""The least contestation: the smallest change of one kind after which a judge comes to a wanted verdict or strength."""
