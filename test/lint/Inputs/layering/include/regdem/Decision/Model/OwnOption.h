// Its source is elsewhere.
