print("tideline")
